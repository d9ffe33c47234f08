import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { FAVOURITES_KEY } from '../../lib/device/page-storage-keys.ts'

interface FavouritesState {
  product_codes: readonly string[]
}

/** Markets a member has starred on this device. */
export const useFavourites = create<FavouritesState>()(
  persist((): FavouritesState => ({ product_codes: [] }), { name: FAVOURITES_KEY }),
)

export function toggleFavourite(product_code: string): void {
  useFavourites.setState(({ product_codes }) => ({
    product_codes: product_codes.includes(product_code)
      ? product_codes.filter((code) => code !== product_code)
      : [...product_codes, product_code],
  }))
}
