import { thaiReportWords } from '@megalot/contract/browser'

export const messages = {
  title: 'รายงานสายงาน',
  choose: 'เลือกรายงาน',
  report: {
    tree: 'ได้เสียตามสายงาน',
    outstanding: 'รอผล',
    types: 'ตามประเภทและอัตราจ่าย',
    winners: 'บิลถูกรางวัล',
    changed: 'บิลที่ถูกเปลี่ยน',
    close: 'ปิดยอดรายวัน',
  },
  path: 'ตำแหน่งในสายงาน',
  top: 'บนสุด',
  ...thaiReportWords.column,
  event: thaiReportWords.event,
  outstanding_totals: '{count, number} บิลรอผล ยอดรับ {received} บาท สุทธิ {net} บาท',
  type_totals: 'ยอดรับ {received} บาท ส่วนลด {discount} บาท ถูกรางวัล {win} บาท รวมสมาชิก {total} บาท',
  uncounted_periods: 'ไม่รวม {count, number} งวดที่ไม่มีข้อมูลแยกประเภท',
  winner_totals: 'ถูกรางวัล {count, number} บิล รวม {win} บาท',
  close_totals: 'ออกผลแล้ว {count, number} งวด รวมระดับนี้ {own} บาท รอผล {pending} บาท คืนเงินงวดที่ยกเลิก {refunded} บาท',
  close_day_totals:
    '{count, number} วันที่มีงวดออกผลแล้ว รวมระดับนี้ {own} บาท รอผล {pending} บาท คืนเงินงวดที่ยกเลิก {refunded} บาท เปิดวันเพื่อดูรายงวด',
  paper_cut: 'พิมพ์ {count, number} แถวแรก ดาวน์โหลดไฟล์เพื่อดูทั้งหมด',
  files: {
    title: 'ไฟล์รายงานใน 24 ชั่วโมง ({count, number})',
    print: 'พิมพ์',
    save: 'ดาวน์โหลด',
    dismiss: 'ปิด',
    rows: 'กำลังสร้าง {done, number} แถว',
    rows_of: 'กำลังสร้าง {done, number} จาก {count, number} แถว',
    state: { waiting: 'รอคิว', ready: 'พร้อมแล้ว', failed: 'สร้างไม่สำเร็จ กรุณาลองใหม่' },
  },
  none: 'ไม่มีรายการในช่วงนี้',
  none_hint: 'ลองเลือกวันหรือหวยอื่น',
} as const

declare global {
  interface AppMessages {
    downline: typeof messages
  }
}
