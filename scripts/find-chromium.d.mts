export interface Browser {
  executablePath: string
  /** Variables that the browser needs in addition to those of this process. */
  env: Record<string, string>
}

export const launchArguments: string[]

/** The configuration of fontconfig without Thai fonts, in the folder `FONTCONFIG_PATH` of the packaged browser. */
export const LATIN_ONLY: string

export function findChromium(): Promise<Browser>

/** The Chromium of npm, whose fonts are known. */
export function findPackagedChromium(): Promise<Browser>
