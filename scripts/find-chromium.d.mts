export interface Browser {
  executablePath: string
  /** Variables that the browser needs in addition to those of this process. */
  env: Record<string, string>
}

export const launchArguments: string[]

/** The fontconfig file without Thai fonts, in the packaged browser's folder `FONTCONFIG_PATH`. */
export const LATIN_ONLY: string

export function findChromium(): Promise<Browser>

/** The Chromium from npm, whose fonts are known. */
export function findPackagedChromium(): Promise<Browser>
