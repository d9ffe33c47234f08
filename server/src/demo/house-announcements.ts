// The announcements of the demo's company, oldest first.

import type { AnnouncementContent } from '@megalot/contract'

export interface DemoAnnouncement extends Omit<AnnouncementContent, 'is_enabled'> {
  /** How many hours ago it was created. */
  hours_ago: number
}

export const demoAnnouncements: readonly DemoAnnouncement[] = [
  {
    type: 'news',
    hours_ago: 21 * 24,
    title_th: 'เพิ่มหวยลาว VIP ทุกวัน',
    title_en: 'Lao VIP every day',
    body_th: 'ลาว VIP เปิดรับทุกวัน ปิดรับ 21:20 น. ออกผล 21:30 น. เปิดรับงวดถัดไปตั้งแต่ 21:45 น.',
    body_en: 'Lao VIP takes bets every day. It closes at 21:20 and is drawn at 21:30; the next period opens at 21:45.',
  },
  {
    type: 'important',
    hours_ago: 9 * 24,
    title_th: 'ตรวจโพยก่อนยืนยันทุกครั้ง',
    title_en: 'Check your ticket before you confirm it',
    body_th: 'เลขที่จ่ายครึ่งหรือปิดรับจะมีเครื่องหมายบนหน้าแทง บิลที่รับไม่เต็มจะรอให้ท่านยืนยันไม่เกิน 30 นาที หรือถึงเวลาปิดรับ',
    body_en:
      'Numbers that pay half or are closed are marked on the bet page. A ticket that is not taken in full waits for you, for 30 minutes at most or until the close.',
  },
  {
    type: 'news',
    hours_ago: 52,
    title_th: 'ผลรางวัลในระบบสาธิต',
    title_en: 'Results in this demo',
    body_th: 'ผลที่มีป้าย "ผลสาธิต" เป็นผลที่ระบบสร้างขึ้นเพื่อการสาธิต ไม่ใช่ผลที่ออกจริง',
    body_en: 'Results marked "demo result" were generated for this demo. They are not the results of real draws.',
  },
  {
    type: 'news',
    hours_ago: 5,
    title_th: 'ยี่กี 88 รอบต่อวัน',
    title_en: 'Yeekee, 88 rounds a day',
    body_th: 'ยี่กีเปิดรับทุก 15 นาที ตั้งแต่ 06:00 น. ถึง 04:00 น. ของวันถัดไป',
    body_en: 'Yeekee takes bets every 15 minutes from 06:00 until 04:00 of the next day.',
  },
]
