import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './auth.th.ts'

export const messages = {
  title: 'Log in',
  username: 'Username',
  password: 'Password',
  captcha: 'Picture code',
  captcha_hint: 'Enter the 4 characters of the picture',
  captcha_image: 'Picture of a 4-character code',
  captcha_refresh: 'New picture',
  captcha_failed: 'The picture did not load. Use the button for a new one',
  submit: 'Log in',
  show_password: 'Show or hide the password',
  to_register: 'Register',
  to_forgot: 'Forgot password',
  proof: {
    other: 'Picture unclear? Verify without it',
    working: 'Verifying. This takes a few seconds',
    proven: 'Verified. You do not need the picture code',
    failed: 'Verification failed. Try again',
    back: 'Back to the picture',
  },
  problem: {
    username_required: 'Please enter your username',
    username_form: 'English letters or digits only',
    username_short: 'The username must have at least 2 characters',
    username_long: 'The username must have at most 255 characters',
    password_required: 'Please enter your password',
    password_length: 'The password must have 4 to 100 characters',
    captcha_required: 'Please enter the picture code',
    captcha_length: 'The picture code must have exactly 4 characters',
  },
} as const satisfies SameKeys<typeof thai>
