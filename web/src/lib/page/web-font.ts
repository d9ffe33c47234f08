import latin from '@fontsource-variable/noto-sans-thai-looped/files/noto-sans-thai-looped-latin-wght-normal.woff2?url'
import thai from '@fontsource-variable/noto-sans-thai-looped/files/noto-sans-thai-looped-thai-wght-normal.woff2?url'
import { keepOnDevice } from '../device/device-storage.ts'
import { readStored } from '../device/stored-value.ts'
import type { StoredForm } from '../device/stored-value.ts'
import { WEB_FONT_KEY } from '../device/storage-keys.ts'

/** Stored once the files are in the browser's cache. */
const fetchedForm: StoredForm<true> = { version: 0, read: (stored) => (stored === true ? true : null) }

/** Delay before the font loads, in ms, so that the page's own files and replies come first. */
const AFTER_MS = 1_000

/**
 * Fetches the product's own letters, 57 kB, and writes in them. On a device that has never had them the first page goes
 * first and stays in the letters of the device, because lines that change their length move what one is about to touch;
 * with the next page they change. A device that has had them has them at once, from its cache.
 * @param onPage calls back whenever a page stands
 */
export function loadWebFont(onPage: (then: () => void) => void): void {
  if (readStored(fetchedForm, WEB_FONT_KEY) !== null) {
    applyWebFont()
    return
  }
  let path: string | null = null
  let areFetched = false
  onPage(() => {
    if (path === null)
      setTimeout(
        () =>
          void fetchWebFont().then(
            () => (areFetched = true),
            () => {},
          ),
        AFTER_MS,
      )
    else if (areFetched && path !== location.pathname) applyWebFont()
    path = location.pathname
  })
}

/** Puts the files into the browser's cache, where they are found when they are worn: on the next page or visit. */
async function fetchWebFont(): Promise<void> {
  await Promise.all([thai, latin].map(async (url) => (await fetch(url)).arrayBuffer()))
  keepOnDevice(WEB_FONT_KEY, 'true')
}

function applyWebFont(): void {
  // Without them the letters of the device do.
  import('@fontsource-variable/noto-sans-thai-looped/index.css').catch(() => {})
}
