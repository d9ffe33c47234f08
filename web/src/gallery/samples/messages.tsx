import { useState } from 'react'
import { Alert } from '../../ui/alert.tsx'
import { Announcer } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogSheet } from '../../ui/dialog-sheet.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../ui/query-view.tsx'
import { Toasts } from '../../ui/toasts.tsx'
import classes from '../gallery.module.css'
import { useSay } from '../sample.ts'
import type { Sample } from '../sample.ts'

function Message({ kind, isTitled = false }: { kind: 'good' | 'warn' | 'bad' | 'plain'; isTitled?: boolean }) {
  const say = useSay()
  return (
    <Alert kind={kind} {...(isTitled ? { title: say('ตลาดนี้กำลังจะปิด', 'This market is about to close') } : {})}>
      {say('ยังไม่ได้ส่งโพย เงินของคุณไม่ถูกหัก', 'The slip was not sent. Nothing was taken from your credit.')}
    </Alert>
  )
}

function Announcement() {
  const say = useSay()
  const [turn, setTurn] = useState(0)
  return (
    <>
      <Button variant="default" onClick={() => setTurn(turn + 1)}>
        {say('อ่านออกเสียง', 'Announce')}
      </Button>
      <Announcer text={turn === 0 ? '' : say('เพิ่มเลข 25 แล้ว', 'Number 25 added')} turn={turn} />
    </>
  )
}

function Dialog(props: { form?: 'sheet' | 'drawer'; dismissible?: 'always' | 'explicitly' | 'never' }) {
  const say = useSay()
  const [isOpen, setIsOpen] = useState(false)
  const close = (): void => setIsOpen(false)
  return (
    <>
      <Button variant="default" data-opens="" onClick={() => setIsOpen(true)}>
        {say('เปิด', 'Open')}
      </Button>
      <DialogSheet isOpen={isOpen} onClose={close} title={say('ยืนยันโพย', 'Confirm the ticket')} {...props}>
        <div className={classes.stack}>
          <p>{say('โพยนี้มี 12 รายการ รวม 240 บาท', 'This ticket has 12 items, 240 Baht in all.')}</p>
          <Button data-closes="" onClick={close}>
            {say('ตกลง', 'OK')}
          </Button>
        </div>
      </DialogSheet>
    </>
  )
}

function Query({ data, error = null }: { data?: string; error?: Error | null }) {
  return (
    <QueryView query={{ data, error, refetch: () => Promise.resolve() }} skeleton={<Skeleton count={3} height={44} />}>
      {(text) => <p>{text}</p>}
    </QueryView>
  )
}

function Empty() {
  const say = useSay()
  return (
    <EmptyNote title={say('ยังไม่มีบิล', 'No bills yet')}>
      <p>{say('บิลของโพยที่ส่งแล้วจะอยู่ที่นี่', 'The bills of tickets that you send appear here.')}</p>
    </EmptyNote>
  )
}

function ShownToasts() {
  const say = useSay()
  const [isShown, setIsShown] = useState(false)
  const toasts = [
    { kind: 'good', message: say('บันทึกแล้ว', 'Saved') },
    { kind: 'bad', message: say('เชื่อมต่อไม่ได้ ลองอีกครั้ง', 'No connection. Try again.') },
    { kind: 'plain', message: say('ย้อนกลับแล้ว', 'Undone') },
  ] as const
  return (
    <>
      <Button variant="default" data-opens="" onClick={() => setIsShown(!isShown)}>
        {isShown ? say('ซ่อน', 'Hide') : say('แสดง', 'Show')}
      </Button>
      <Toasts toasts={isShown ? toasts : []} />
    </>
  )
}

export const samples: readonly Sample[] = [
  {
    part: 'alert',
    states: {
      plain: () => <Message kind="plain" />,
      good: () => <Message kind="good" />,
      warn: () => <Message kind="warn" />,
      bad: () => <Message kind="bad" />,
      titled: () => <Message kind="warn" isTitled />,
    },
  },
  { part: 'announcer', states: { plain: Announcement } },
  {
    part: 'dialog-sheet',
    states: {
      sheet: () => <Dialog />,
      drawer: () => <Dialog form="drawer" />,
      'closed by its button': () => <Dialog dismissible="explicitly" />,
      'cannot be dismissed': () => <Dialog dismissible="never" />,
    },
  },
  {
    part: 'query-view',
    states: {
      loading: () => <Query />,
      failed: () => <Query error={new Error('offline')} />,
      loaded: () => <Query data="1,250.00" />,
      empty: Empty,
    },
  },
  { part: 'toasts', states: { three: ShownToasts } },
]
