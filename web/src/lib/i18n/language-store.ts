import type { Language } from '@megalot/contract'
import { LANGUAGE_COOKIE, SECURE_LANGUAGE_COOKIE } from '@megalot/contract/browser'
import { create } from 'zustand'
import { messages as commonEnglish } from './common.en.ts'
import { messages as commonThai } from './common.th.ts'
import type { Area } from './messages.ts'
import { keepOnDevice } from '../device/device-storage.ts'
import { LANGUAGE_KEY } from '../device/storage-keys.ts'
import { readStoredText } from '../device/stored-value.ts'

type Catalogue = Partial<Record<Area, object>>

interface LanguageState {
  language: Language
  /**
   * The same object for as long as the language is the same: areas are added to it. Whatever is on screen has its areas, and a
   * new object would render all of it again, 250 ms of a slow phone for a slip of 500 lines.
   */
  messages: Catalogue
}

// One small file per area and language, loaded with the page that needs it. `common` alone is in the first load, in
// both languages, so that no screen ever waits for words.
type AreaFiles = Record<string, () => Promise<{ messages: object }>>
const loaders = new Map<string, AreaFiles[string]>()

/** Adds the areas of these files: each application adds its own to the shared ones. */
export function addAreas(files: AreaFiles): void {
  for (const [path, load] of Object.entries(files)) loaders.set(path.split('/').at(-1)!, load)
}

addAreas(import.meta.glob<{ messages: object }>(['../../{lib,ui,shared}/**/*.{th,en}.ts', '!./common.*.ts']))
const common = { th: commonThai, en: commonEnglish }

function storedLanguage(): Language {
  return readStoredText(LANGUAGE_KEY) === 'en' ? 'en' : 'th'
}

export const useLanguageStore = create<LanguageState>()(() => {
  const language = storedLanguage()
  return { language, messages: { common: common[language] } }
})

export function currentLanguage(): Language {
  return useLanguageStore.getState().language
}

async function readArea(language: Language, area: Area): Promise<object> {
  if (area === 'common') return common[language]
  const load = loaders.get(`${area}.${language}.ts`)
  if (load === undefined) throw new Error(`no messages ${area}.${language}.ts`)
  return (await load()).messages
}

/** Makes the words of an area ready; pages are rendered only after this. */
export async function loadArea(area: Area): Promise<void> {
  const language = currentLanguage()
  if (useLanguageStore.getState().messages[area] !== undefined) return
  const words = await readArea(language, area)
  if (currentLanguage() !== language) return loadArea(area)
  useLanguageStore.getState().messages[area] = words
}

const COOKIE_DAYS = 365

/** Stores for the server and the service worker in which language the first frame of the next page is to be. */
export function keepLanguageCookie(language: Language): void {
  const seconds = COOKIE_DAYS * 24 * 3_600
  const isSecure = location.protocol === 'https:'
  const name = isSecure ? SECURE_LANGUAGE_COOKIE : LANGUAGE_COOKIE
  document.cookie = `${name}=${language}; path=/; max-age=${seconds}; samesite=lax${isSecure ? '; secure' : ''}`
}

/** Switches the language once every area on screen is there in it, so that nothing flickers through both. */
export async function switchLanguage(language: Language): Promise<void> {
  keepOnDevice(LANGUAGE_KEY, language)
  keepLanguageCookie(language)
  const areas = Object.keys(useLanguageStore.getState().messages) as Area[]
  const words = await Promise.all(areas.map(async (area) => [area, await readArea(language, area)] as const))
  useLanguageStore.setState({ language, messages: Object.fromEntries(words) })
  document.documentElement.lang = language
}
