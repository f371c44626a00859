import { z } from 'zod';

// The page's policy forbids eval, which zod would probe for while the contract is being built. Imported before it.
z.config({ jitless: true });
