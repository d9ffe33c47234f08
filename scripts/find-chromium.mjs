// Finds a Chromium for tests: CHROME_PATH, otherwise the system's, otherwise the one from npm, unpacked once.

import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

/** Works as root, in a container, without network access; does not search for a graphics card. */
export const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const systemNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

function findOnSystem() {
  const folders = (process.env.PATH ?? '').split(':')
  const candidates = systemNames.flatMap((name) => folders.map((folder) => join(folder, name)))
  return candidates.find((path) => existsSync(path) && spawnSync(path, ['--version']).status === 0)
}

/**
 * The packaged browser contains Latin fonts but expects them in a fixed folder. Phones also have a Thai font; without
 * one, the browser searches all fonts again for each Thai word. The web's own font arrives later and replaces it.
 */
function writeFontsConfiguration(folder) {
  const thaiFonts = dirname(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-sans-thai'))
  writeFontsFile(folder, 'fonts.conf', [join(thaiFonts, '400Regular'), join(thaiFonts, '700Bold')])
  writeFontsFile(folder, LATIN_ONLY, [])
}

/** A fontconfig file without Thai fonts, for the journey of a device that has none. */
export const LATIN_ONLY = 'latin-only.conf'

function writeFontsFile(folder, name, folders) {
  const configuration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
${folders.map((one) => `  <dir>${one}</dir>\n`).join('')}  <cachedir>${folder}/fonts/cache</cachedir>
  <alias>
    <family>sans-serif</family>
    <prefer>
      <family>Open Sans</family>
      <family>Noto Sans Thai</family>
    </prefer>
  </alias>
  <config></config>
</fontconfig>
`
  const path = join(folder, 'fonts', name)
  if (existsSync(path) && readFileSync(path, 'utf8') === configuration) return
  // Another run may be reading the file.
  writeFileSync(`${path}.${process.pid}`, configuration)
  renameSync(`${path}.${process.pid}`, path)
}

/** The Chromium from npm, whose fonts are known. */
export async function findPackagedChromium() {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const packageFolder = join(dirname(entry), '../..')
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const folder = fileURLToPath(new URL(`../.cache/chromium-${version}`, import.meta.url))
  const executablePath = join(folder, 'chromium')
  if (!existsSync(executablePath)) {
    // Two runs may unpack at once: each into its own folder, and the first to finish renames it.
    const unpacking = `${folder}.${process.pid}`
    mkdirSync(unpacking, { recursive: true })
    const program = `import(process.argv[1]).then((loaded) => loaded.default.executablePath())`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, pathToFileURL(entry).href], {
      // The package unpacks into the folder for temporary files, and its libraries only if it detects AWS.
      env: { ...process.env, TMPDIR: unpacking, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    })
    try {
      renameSync(unpacking, folder)
    } catch {
      rmSync(unpacking, { recursive: true, force: true })
    }
  }
  writeFontsConfiguration(folder)
  const env = { FONTCONFIG_PATH: join(folder, 'fonts') }
  // The system's own libraries are preferred; without them the browser does not start.
  if (spawnSync(executablePath, ['--version']).status !== 0) env.LD_LIBRARY_PATH = join(folder, 'al2023/lib')
  execFileSync(executablePath, ['--version'], { env: { ...process.env, ...env } })
  return { executablePath, env }
}

export async function findChromium() {
  const named = process.env.CHROME_PATH
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROME_PATH names ${named}, which does not exist`)
    return { executablePath: named, env: {} }
  }
  const installed = findOnSystem()
  return installed ? { executablePath: installed, env: {} } : findPackagedChromium()
}
