// Runs inline in the head of the console's page, before anything is painted. The build bundles it
// (`web/inline-first-script.ts`), and the server allows it by its hash.

import { applyThemeChoice, storedThemeChoice } from '../lib/device/theme-choice.ts'
import { awaitThaiGlyphs } from '../lib/page/thai-glyphs.ts'

applyThemeChoice(storedThemeChoice())

const { webFont } = document.documentElement.dataset
if (webFont !== undefined) awaitThaiGlyphs(webFont)
