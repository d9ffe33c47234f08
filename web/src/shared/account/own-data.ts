import { exportOwnData } from '@megalot/contract/browser'
import { fetchFile } from '../../lib/api/fetch-file.ts'
import { saveFile } from '../../lib/device/save-file.ts'

/** Saves everything that is stored about the user as one JSON file. */
export async function downloadOwnData(): Promise<void> {
  saveFile('personal-data.json', await fetchFile(exportOwnData, {}))
}
