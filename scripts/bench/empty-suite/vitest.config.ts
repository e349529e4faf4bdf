import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['nothing.test.ts'], pool: 'threads', isolate: false, maxWorkers: 1 } });
