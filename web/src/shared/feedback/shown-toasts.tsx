import { useToasts } from '../../lib/feedback/toast.ts'
import { Toasts } from '../../ui/toasts.tsx'

/** The toasts of the page. */
export function ShownToasts() {
  const { toasts } = useToasts()
  return <Toasts toasts={toasts} />
}
