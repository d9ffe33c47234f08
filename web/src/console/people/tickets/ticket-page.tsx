import type { OrderSummary } from '@megalot/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { BillPage } from '../../../shared/tickets/bill-page.tsx'
import { RemovalCell } from './removal-cell.tsx'
import { RemovalSheet } from './removal-sheet.tsx'
import { useUser } from '../../../lib/user/user-query.ts'
import { permissionsOf } from '../../menu.ts'

/** A ticket in the console: its items, its member, and its removal. */
export function TicketPage() {
  const permissions = permissionsOf(useUser())
  const [chosen, setChosen] = useState<OrderSummary | null>(null)
  return (
    <>
      <BillPage
        list="/tickets"
        goesBack
        renderActions={(order) => permissions.has('tickets.do') && <RemovalCell order={order} onChoose={setChosen} />}
        renderOwner={({ username }) =>
          permissions.has('people.view') ? (
            <Link to="/people" search={{ search: username }}>
              {username}
            </Link>
          ) : (
            username
          )
        }
      />
      <RemovalSheet order={chosen} onClose={() => setChosen(null)} />
    </>
  )
}
