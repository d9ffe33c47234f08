export interface WebSizes {
  /** All files that a first visit to the log-in page loads. */
  login_kb: number
  /** All files that a first visit to the operators' console loads. */
  console_kb: number
  /** Per page: files beyond those shared by every page. */
  pages: Record<string, number>
}

export const budgets: { login_kb: number; console_kb: number; page_kb: number; bet_kb: number }

/** Sizes of the built web in kB of 1,000 bytes, compressed by gzip. */
export function measureWebSizes(): WebSizes

/** A message for each exceeded budget. */
export function checkSizes(sizes: WebSizes): string[]

export interface ManifestChunk {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
}

/** Files of a build's manifest that these entries load, each once. */
export function listFiles(manifest: Record<string, ManifestChunk>, entries: string[]): Set<string>
