import type { User } from '@megalot/contract'
import { ClosingDrafts } from './closing-drafts.tsx'
import { PeriodNews } from './period-news.tsx'
import { DeletedNews } from './deleted-news.tsx'
import { SettledNews } from './settled-news.tsx'
import { WaitingTickets } from './waiting-tickets.tsx'

/** What a member should know now, wherever it is in the product. Each goes when it is done, or put aside. */
export function News({ user }: { user: User }) {
  return (
    <>
      <WaitingTickets />
      <ClosingDrafts user_id={user.user_id} />
      <DeletedNews user_id={user.user_id} />
      <PeriodNews />
      <SettledNews user_id={user.user_id} />
    </>
  )
}
