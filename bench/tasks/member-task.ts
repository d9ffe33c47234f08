// What an agent does for a new member, with the hands.

import type { Stage } from './day-tasks.ts'
import { type Effort, measureHands } from './hands.ts'
import { openConsole } from './scene.ts'

const MODEL = 'member11'

export interface OpenedMember {
  effort: Effort
  /** Whether the account has the credit of the one it was copied from. */
  hasCredit: boolean
}

/** A member by copying another: credit, packages, password and the QR code to hand over. */
export async function openMember({ scene, context, page }: Stage, sample: number): Promise<OpenedMember> {
  const username = `somchai${sample}`
  await openConsole(scene, context, page, 'agent02', '/people')
  await page.locator('[data-grid-row]').first().waitFor()
  const effort = await measureHands(page, async (hands) => {
    hands.decide()
    await hands.click(page.getByRole('link', { name: 'เปิดสมาชิกใหม่', exact: true }))
    await hands.goTo(page.getByLabel('คัดลอกจาก', { exact: true }))
    await hands.type(MODEL)
    await page.getByText(`ตาม ${MODEL} แล้ว`).waitFor()
    hands.decide()
    await hands.goTo(page.getByLabel('ชื่อผู้ใช้', { exact: true }))
    await hands.type(username)
    hands.decide()
    await hands.press('Tab')
    await hands.type('สมชาย')
    hands.decide()
    await hands.press('Enter')
    await page.getByRole('img', { name: 'คิวอาร์โค้ดหน้าเข้าระบบ' }).waitFor()
    // Is it the right one?
    hands.decide()
  })
  const { rows } = await scene.database.query<{ is_same: boolean }>(
    `select account.floor_satang = model.floor_satang and account.floor_satang < 0 as is_same
      from accounts account join users on users.user_id = account.user_id and users.username = $1,
        accounts model join users others on others.user_id = model.user_id and others.username = $2
      where account.kind = 'cash' and model.kind = 'cash'`,
    [username, MODEL],
  )
  return { effort, hasCredit: rows[0]?.is_same === true }
}
