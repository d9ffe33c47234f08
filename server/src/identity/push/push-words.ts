// The texts of notifications. A screen that is locked shows them to anyone, so they name the market alone.

type Text = (market: string) => { title: string; body: string }

export interface PushWords {
  result: Text
  correction: Text
  confirm: Text
}

export const pushWords: Readonly<Record<'th' | 'en', PushWords>> = {
  th: {
    result: (market) => ({ title: `ผล${market}ออกแล้ว`, body: 'แตะเพื่อดูผลของโพย' }),
    correction: (market) => ({ title: `แก้ไขผล${market}`, body: 'แตะเพื่อดูว่ายอดของโพยเปลี่ยนอย่างไร' }),
    confirm: (market) => ({ title: `โพย${market}รอยืนยัน`, body: 'ระบบรับได้ไม่เต็มจำนวน แตะเพื่อดูและยืนยัน' }),
  },
  en: {
    result: (market) => ({ title: `${market}: the result is out`, body: 'Tap to see how your tickets did' }),
    correction: (market) => ({ title: `${market}: the result was corrected`, body: 'Tap to see what changed' }),
    confirm: (market) => ({
      title: `${market}: a ticket needs your confirmation`,
      body: 'It was not accepted in full. Tap to review it',
    }),
  },
}
