export const messages = {
  put_aside: 'ซ่อน: {title}',
  waiting: {
    title: 'มี {count, number} บิลรอให้คุณยืนยัน',
    ticket: 'เปิดบิล {order_id}',
    all: 'ดูบิลที่รอยืนยันทั้งหมด',
  },
  closing: {
    title: '{market} ใกล้ปิดรับ',
    text: 'มีโพยที่ยังไม่ได้ส่ง เหลือเวลา',
    link: 'ไปส่งโพย',
  },
  settled: {
    won: 'ออกผลแล้ว คุณถูกรางวัล {amount} บาท',
    lost: 'ออกผลแล้ว {count, number} บิลไม่ถูกรางวัล',
    link: 'ดูบิลในงวดนี้',
  },
  deleted: {
    title: 'มี {count, number} บิลของคุณถูกลบ คืนเครดิตแล้ว',
    by: 'ลบโดย {username} คืน {amount} บาท',
    ticket: 'ดูบิล {order_id} และเหตุผล',
    office: 'เจ้าหน้าที่',
    all: 'ดูบิลที่ถูกลบทั้งหมด',
  },
  corrected: {
    title: 'ผลรางวัลที่ประกาศไปแล้วถูกแก้ไข',
    old: 'ผลเดิม',
    new: 'ผลที่ถูกต้อง',
    win: 'คุณถูก {amount} บาท',
    change: 'ยอดบัญชีเปลี่ยน',
    demo: 'ผลสาธิต',
    demo_hint: 'ระบบสร้างขึ้นเพื่อการสาธิต ไม่ใช่ผลที่ออกจริง',
  },
  voided: {
    title: 'งวดถูกยกเลิก คืนเงินเดิมพันให้คุณแล้ว',
    refund: 'คืนเงิน {count, number} บิล รวม {amount} บาท',
    reason: 'เหตุผล: {reason}',
  },
  more_notices: 'และอีก {count, number} ประกาศ',
  notices_heading: 'ผลที่แก้ไขและงวดที่ยกเลิก',
} as const
