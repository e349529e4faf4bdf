import { registerSuites } from './register-suites.ts';

await registerSuites();
