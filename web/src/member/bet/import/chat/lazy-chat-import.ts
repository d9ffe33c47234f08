import { loadArea } from '../../../../lib/i18n/language-store.ts'
import { lazyComponent } from '../../../../lib/page/lazy-component.ts'

/** The chat reader with its texts, which only some members use. */
export const ChatImport = lazyComponent(
  async () => (await Promise.all([import('./chat-import.tsx'), loadArea('chat')]))[0],
  'ChatImport',
)
