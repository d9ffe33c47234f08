// Vitest runs this file again before each test file.

import { afterAll } from 'vitest'
import { closeAllOfFile } from './file-end.ts'

afterAll(closeAllOfFile)
