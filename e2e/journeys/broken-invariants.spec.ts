// Goal: the office sees on Today which rules of money are broken, with the records and figures, in both languages; and nothing while all
// hold. The reply is changed on its way: how breaks come about is tested in `auditor.test.ts`.

import { AUDITOR_RUNS, type InvariantBreak, type Language, listInvariantBreaks } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const broken: InvariantBreak = {
  break_id: 1,
  invariant: 'balance_follows_mark',
  name_th: 'ยอดเงินของผู้ใช้เท่ายอดที่บันทึกไว้ล่าสุดรวมกับรายการบัญชีหลังจากนั้น',
  name_en: 'what a user has is what was noted last, and the entries since',
  unit: 'satang',
  broken_at: '2026-11-20T03:00:00.000Z',
  seen_at: '2026-11-20T03:05:00.000Z',
  whole_at: null,
  record_count: 7,
  findings: [{ user_id: 42, stored: 125_050, computed: 125_000 }],
}

const late: InvariantBreak = { ...broken, break_id: 3, invariant: AUDITOR_RUNS, record_count: 0, findings: [] }

for (const language of ['th', 'en'] as const satisfies readonly Language[])
  test(
    `Today shows what is broken, and nothing where all holds (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, office }, info) => {
      const t = wordsOf(language)
      let data: InvariantBreak[] = [late, broken, { ...broken, break_id: 2, whole_at: broken.seen_at }]
      await page.route(`**${listInvariantBreaks.path}`, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), data } })
      })
      await openAs(page, office.apis[0], language)
      await page.goto('/console/today')
      const panel = page.getByRole('alert').filter({ has: page.getByTestId('broken-invariants') })
      await expect(panel).toContainText(t('invariants.title', { count: 1 }))
      for (const text of [
        broken[`name_${language}`],
        t('invariants.user', { id: '42' }),
        t('invariants.more', { shown: '1', count: '7' }),
        '1,250.50',
        '1,250.00',
      ])
        await expect(panel).toContainText(text)
      const lateAlert = page.getByRole('alert').filter({ hasText: t('invariants.late') })
      await expect(lateAlert).toBeVisible()
      await checkScreen(page, info, `broken-invariants-${language}`)

      data = []
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(panel).toHaveCount(0)
      await expect(lateAlert).toHaveCount(0)
    },
  )
