import type { SameKeys } from '../../lib/i18n/messages.ts'
import type { messages as thai } from './credentials.th.ts'

export const messages = {
  register: {
    title: 'Register',
    agent_code: 'Agent code',
    agent_code_hint: 'Your agent gives it to you',
    username: 'Username',
    username_hint: 'English letters or digits, at least 2',
    display_name: 'Display name',
    email: 'Email (if you have one)',
    email_hint: 'Lets you set a new password if you forget yours. Some agents require it',
    phone: 'Phone (optional)',
    password: 'Password',
    confirm_password: 'Confirm password',
    more: 'Add an email or phone (optional)',
    submit: 'Register and log in',
    to_login: 'I have an account: log in',
  },
  forgot: {
    title: 'Forgot password',
    text: 'With a verified email address you get a link for a new password. Without one, your agent gives you a one-time password',
    identifier: 'Username or email',
    submit: 'Ask for a new password',
    sent: 'Request sent',
    by_mail:
      'If you have verified an email address, a link arrives within a few minutes. It works once, within 30 minutes',
    by_agent:
      'If you have no email address, contact your agent for a one-time password. Your agent sees requests made by username',
    to_login: 'Back to the log-in',
  },
  reset: {
    title: 'Set a new password',
    new_password: 'New password',
    confirm_password: 'Confirm new password',
    submit: 'Save the password',
    done: 'The new password is set. Please log in',
    no_token: 'The link is not complete. Open it from the mail again, or ask for a new one',
    ask_again: 'Ask for a new link',
  },
  verify: {
    title: 'Verify your mail address',
    text: 'Enter the password of the account named in the mail',
    submit: 'Verify the address',
    done: 'The address is verified. It can be used should you forget the password',
    no_token: 'The link is not complete. Open it from the mail again',
  },
  easy_to_guess: 'Your password is easy to guess. Please choose another one soon',
  show_password: 'Show or hide the password',
  problem: {
    required: 'Please fill in all required information',
    agent_code_form: 'An agent code has 4 to 20 characters',
    username_form: 'English letters or digits only',
    username_short: 'The username must have at least 2 characters',
    username_long: 'The username must have at most 255 characters',
    display_name_long: 'The display name must have at most 100 characters',
    email_form: 'This is not an email address',
    phone_form: 'This is not a phone number',
    password_length: 'The password must have 4 to 100 characters',
    password_mismatch: 'Password not match',
    captcha_length: 'The picture code must have exactly 4 characters',
  },
} as const satisfies SameKeys<typeof thai>
