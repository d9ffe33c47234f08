import type { Locator, Page } from '@playwright/test'
import { captchaAnswer } from '../api.ts'

export const demoAgentCode = 'AGENT01'

/** The form with which somebody becomes a member, in Thai. */
export class RegisterPage {
  readonly submit: Locator
  private readonly page: Page

  constructor(page: Page) {
    this.page = page
    this.submit = page.getByRole('button', { name: 'สมัครและเข้าสู่ระบบ' })
  }

  async open(): Promise<void> {
    await this.page.goto('/auth/register')
    await this.page.getByTestId('captcha-image').waitFor()
  }

  async fill(username: string, password: string): Promise<void> {
    const values = {
      รหัสเอเยนต์: demoAgentCode,
      ชื่อผู้ใช้: username,
      ชื่อที่แสดง: 'สมาชิก ใหม่',
      อีเมล: `${username}@example.com`,
      รหัสผ่าน: password,
      ยืนยันรหัสผ่าน: password,
      รหัสจากภาพ: captchaAnswer,
    }
    for (const [label, value] of Object.entries(values)) await this.page.getByLabel(label, { exact: true }).fill(value)
  }

  /** Registers and waits until the product is there. */
  async register(username: string, password: string): Promise<void> {
    await this.open()
    await this.fill(username, password)
    await this.submit.click()
    await this.page.getByTestId('credit-remain').waitFor()
  }
}

/** A name that no other journey uses. */
export function newcomer(projectName: string, what: string): string {
  return `${projectName}${what}${Date.now().toString(36)}`
}
