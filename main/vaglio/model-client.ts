/**
 * One question to a language model, answered by an object (platform page, "AI SDK"). The port that judges are written
 * against, and its adapter over the client library. It builds no prompt and decides nothing.
 */
import { boundedFetch, CallFault } from './bounded-fetch.ts';
import { findObjects } from './found-objects.ts';

/** `local` is any OpenAI-compatible server: Ollama, llama.cpp, vLLM. */
export const MODEL_PROVIDERS = ['anthropic', 'openai', 'local'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Which model, and how it is asked (constitution page, section 5). Holds no key. */
export interface ModelSettings {
  provider: ModelProvider;
  model: string;
  tier: string;
  /** Without a slash at its end; null for the provider's own address. */
  baseUrl: string | null;
  maxTokens: number;
  /** Null leaves it to the model. */
  temperature: number | null;
}

export interface ObjectQuestion {
  /** The system prompt. */
  instructions: string;
  prompt: string;
  /** JSON schema of the object that is wanted, told to the model; the answer is not held against it. */
  schema: Readonly<Record<string, unknown>>;
  /** Limit for the whole answer, ms. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** The objects found in the answer, in their order, perhaps none; or why there was no answer. */
export type ObjectAnswer = { ok: true; objects: unknown[] } | { ok: false; why: string };

export interface ModelClient {
  readonly settings: ModelSettings;
  /** One request, never repeated. Never rejects. */
  ask(question: ObjectQuestion): Promise<ObjectAnswer>;
}

/** Largest answer that is read, with everything that the provider puts around it. */
const MAX_ANSWER_BYTES = 256 * 1024;
const OPENAI_URL = 'https://api.openai.com/v1';
const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** Slow to load: only who asks a model pays for it. */
async function loadLibrary() {
  // The library writes warnings to stderr, among them texts of the provider.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  return await import('ai');
}
type Library = Awaited<ReturnType<typeof loadLibrary>>;

async function openModel(settings: ModelSettings, apiKey: string | null, fetcher: typeof fetch) {
  const { provider, model, baseUrl } = settings;
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    // Address and key are given even where they are the library's own, or it would look for them in the environment.
    return createAnthropic({ baseURL: baseUrl ?? ANTHROPIC_URL, apiKey: apiKey ?? '', fetch: fetcher })(model);
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({
    name: provider,
    baseURL: baseUrl ?? OPENAI_URL,
    fetch: fetcher,
    supportsStructuredOutputs: true,
    ...(apiKey === null ? {} : { apiKey }),
    // OpenAI's newer models refuse the old name, other servers do not know the new one.
    ...(provider === 'openai' ? { transformRequestBody: renameMaxTokens } : {}),
  })(model);
}

function renameMaxTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}

/** Says what went wrong without a word of the provider's, which may repeat keys or prompts. */
function faultWords(error: unknown, library: Library | null): string {
  if (error instanceof CallFault) return error.message;
  if (library?.APICallError.isInstance(error) && error.statusCode !== undefined) {
    return error.statusCode === 200 ? 'the answer is not of the form of this API' : `HTTP ${error.statusCode}`;
  }
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string' && /^[A-Z_]{1,40}$/.test(cause.code)) {
      return `the connection failed (${cause.code})`;
    }
  }
  return `the call failed (${error instanceof Error ? error.name : typeof error})`;
}

async function generate(
  library: Library,
  settings: ModelSettings,
  apiKey: string | null,
  question: ObjectQuestion,
  call: { abortSignal: AbortSignal; fetcher: typeof fetch },
): Promise<string> {
  const { generateText, jsonSchema, NoObjectGeneratedError, Output } = library;
  try {
    const { text } = await generateText({
      model: await openModel(settings, apiKey, call.fetcher),
      instructions: question.instructions,
      prompt: question.prompt,
      output: Output.object({ schema: jsonSchema(question.schema), name: 'answer' }),
      maxOutputTokens: settings.maxTokens,
      maxRetries: 0,
      abortSignal: call.abortSignal,
      ...(settings.temperature === null ? {} : { temperature: settings.temperature }),
    });
    return text;
  } catch (error) {
    // The library gives up on a fence or a word around the object; its text is still an answer.
    if (NoObjectGeneratedError.isInstance(error) && error.text !== undefined) return error.text;
    throw error;
  }
}

/** @param apiKey null sends none */
export function createModelClient(settings: ModelSettings, apiKey: string | null): ModelClient {
  return {
    settings,
    async ask(question) {
      const limit = new AbortController();
      const stop = (): void => limit.abort(new CallFault('the call was given up'));
      question.signal?.addEventListener('abort', stop, { once: true });
      let timer: NodeJS.Timeout | undefined;
      let library: Library | null = null;
      let fault: CallFault | null = null;
      try {
        library = await loadLibrary();
        // Loading is our own slowness, so the time limit begins behind it.
        timer = setTimeout(() => {
          limit.abort(new CallFault(`no whole answer within ${question.timeoutMs} ms`));
        }, question.timeoutMs);
        if (question.signal?.aborted) stop();
        limit.signal.throwIfAborted();
        const fetcher = boundedFetch(MAX_ANSWER_BYTES, (found) => {
          fault = found;
        });
        const call = { abortSignal: limit.signal, fetcher };
        // Also where the library does not listen to the signal, nobody waits longer.
        const text = await Promise.race([generate(library, settings, apiKey, question, call), aborted(limit.signal)]);
        return { ok: true, objects: findObjects(text) };
      } catch (error) {
        return { ok: false, why: faultWords(limit.signal.aborted ? limit.signal.reason : (fault ?? error), library) };
      } finally {
        clearTimeout(timer);
        question.signal?.removeEventListener('abort', stop);
      }
    },
  };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
