// The texts of notifications. A locked screen shows them to anyone, so they have no amount, no number and no name.

export interface PushWords {
  title: (market: string) => string
  body: (hasWon: boolean) => string
}

export const pushWords: Readonly<
  Record<'th' | 'en', Readonly<Record<'result' | 'correction' | 'confirm', PushWords>>>
> = {
  th: {
    result: {
      title: (market) => `ผล${market}ออกแล้ว`,
      body: (hasWon) => (hasWon ? 'คุณถูกรางวัล แตะเพื่อดู' : 'งวดนี้ไม่ถูก แตะเพื่อดูผล'),
    },
    correction: {
      title: (market) => `แก้ไขผล${market}`,
      body: (hasWon) => (hasWon ? 'ตามผลใหม่ คุณถูกรางวัล แตะเพื่อดู' : 'ตามผลใหม่ คุณไม่ถูก แตะเพื่อดู'),
    },
    confirm: {
      title: (market) => `บิล${market}รอคุณยืนยัน`,
      body: () => 'เลขเต็มหรือเรตเปลี่ยน แตะเพื่อดูและยืนยัน',
    },
  },
  en: {
    result: {
      title: (market) => `${market}: the result is out`,
      body: (hasWon) => (hasWon ? 'You won. Tap to see it' : 'No win this time. Tap to see the result'),
    },
    correction: {
      title: (market) => `${market}: the result was corrected`,
      body: (hasWon) =>
        hasWon ? 'You won by the new result. Tap to see it' : 'No win by the new result. Tap to see it',
    },
    confirm: {
      title: (market) => `${market}: a ticket needs your confirmation`,
      body: () => 'A number is full or a rate has changed. Tap to review it',
    },
  },
}
