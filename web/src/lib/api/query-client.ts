import { QueryClient } from '@tanstack/react-query'
import { toRefusal } from '../errors/refusal.ts'

/** Reads are tried again, a second or more later, where no answer came or the caller has asked too much; any other refusal stands. */
function isTriedAgain(failures: number, error: unknown): boolean {
  const { isUnsure, code } = toRefusal(error)
  return (isUnsure || code === 'too_many_requests') && failures < 2
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: isTriedAgain,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})
