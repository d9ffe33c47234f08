export const messages = {
  put_aside: 'ซ่อน: {title}',
  waiting: { title: '{count, number} บิลรอยืนยัน' },
  closing: { title: '{market} ใกล้ปิดรับ โพยยังไม่ได้ส่ง' },
  settled: {
    won: 'ออกผลแล้ว คุณถูกรางวัล {amount} บาท',
    lost: 'ออกผลแล้ว {count, number} บิลไม่ถูกรางวัล',
  },
  deleted: { text: 'บิลถูกลบ คืน {amount} บาท โดย {username}', office: 'เจ้าหน้าที่' },
  pending: { title: 'กำลังตรวจสอบโพย {market} จะไม่ถูกส่งซ้ำ' },
  corrected: {
    title: 'ผลรางวัลที่ประกาศไปแล้วถูกแก้ไข',
    old: 'ผลเดิม',
    new: 'ผลที่ถูกต้อง',
    win: 'คุณถูก {amount} บาท',
    change: 'เครดิตเปลี่ยน',
    demo: 'ผลสาธิต',
    demo_hint: 'ระบบสร้างขึ้นเพื่อการสาธิต ไม่ใช่ผลที่ออกจริง',
  },
  voided: {
    title: 'งวดถูกยกเลิก คืนเงินเดิมพันให้คุณแล้ว',
    refund: 'คืนเงิน {count, number} บิล รวม {amount} บาท',
    reason: 'เหตุผล: {reason}',
  },
  postponed: {
    title: 'เลื่อนวันออกผล บิลของคุณยังอยู่ครบ',
    times: 'ปิดรับ {close} ออกผล {draw}',
  },
  tickets_heading: 'บิลของคุณ',
  notices_heading: 'ผลที่แก้ไข งวดที่ยกเลิกและงวดที่เลื่อน',
} as const

declare global {
  interface AppMessages {
    news: typeof messages
  }
}
