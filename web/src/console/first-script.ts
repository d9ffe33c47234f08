// Runs inline in the head of the console's page, before anything is painted. The build bundles it
// (`web/inline-first-script.ts`), and the server allows it by its hash.

import { applyThemeChoice, storedThemeChoice } from '../lib/device/theme-choice.ts'

applyThemeChoice(storedThemeChoice())
