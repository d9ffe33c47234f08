// The photo of a transfer slip, made small on the device.

import { MAX_SLIP_BYTES } from '@megalot/contract/browser'

const EDGES = [1600, 1200, 900, 640] as const
const QUALITIES = [0.82, 0.66, 0.5] as const

export interface SlipPhoto {
  content_type: 'image/jpeg'
  /** In base64. */
  image: string
  bytes: number
}

/**
 * The photo as a JPEG of at most `MAX_SLIP_BYTES`.
 * @throws Error the file is no picture, or stays too large
 */
export async function shrinkPhoto(file: Blob): Promise<SlipPhoto> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    for (const edge of EDGES) {
      const scale = Math.min(1, edge / Math.max(picture.width, picture.height))
      const canvas = document.createElement('canvas')
      canvas.width = Math.max(1, Math.round(picture.width * scale))
      canvas.height = Math.max(1, Math.round(picture.height * scale))
      canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
      for (const quality of QUALITIES) {
        // The first that is small enough is the best one.
        const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
        if (blob !== null && blob.size <= MAX_SLIP_BYTES)
          return { content_type: 'image/jpeg', image: await toBase64(blob), bytes: blob.size }
      }
    }
  } finally {
    picture.close()
  }
  throw new Error('the picture stays too large')
}

function toBase64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error('the picture cannot be read')))
    reader.readAsDataURL(blob)
  })
}
