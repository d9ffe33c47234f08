import { QueryClient } from '@tanstack/react-query'
import { toRefusal } from '../errors/refusal.ts'

/** Reads are tried again where no answer came; a refusal is an answer and stands. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => toRefusal(error).isUnsure && failures < 2,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})
