import type { SameKeys } from '../catalogue.ts'
import type { messages as thai } from '../th/handbook.ts'

export const messages: SameKeys<typeof thai> = {
  title: 'Operators’ manual: line and approvals',
  find: {
    title: 'Find somebody of the line',
    search: 'Open “Members and line” and type a part of the name or username, or press Ctrl+K on any page',
    tree: 'Choose “Tree” to see the levels. The right arrow opens a line, the left arrow closes it',
    columns:
      '“View” chooses columns and order, and saves views. The address of the page shows the same to whoever you send it to',
    keys: 'On a row: Enter profile · C credit · S status · P packages · space selects the row',
  },
  open_member: {
    title: 'Open a member or an agent',
    form: 'Press “New member”, choose the level, and enter username and display name',
    copy: 'Type a username into “Copy from” to fill in the same credit, packages and share',
    credit: 'The credit comes out of the upline directly above. Below the field you see how much is left to give',
    password: 'A one-time password is made for you. You can make another one or type your own',
    hand_over:
      'Then a card shows username, password, link and QR code. It is shown once: hand it over before you close the page',
  },
  codes: {
    title: 'Agent codes',
    make: 'Open “Agent codes” and press “New code”. You can choose packages and an opening credit',
    share: 'Send the link or show the QR code. The registration fills in the code by itself',
    arrives: 'When somebody registers, a message appears at once. Press “Give credit” and confirm: the member can bet',
    off: 'Switch off a code that is no longer used. Members who have joined stay as they are',
  },
  credit: {
    title: 'Credit',
    rule: 'An upline gives no more than its own credit, and takes back no more than what is neither used nor given on',
    change:
      'Press the credit in the list, or “Change credit” in the profile. See what happens, and confirm with a reason',
    many: 'Select several rows and press “Change credit”. Each user has an outcome of its own; who is refused says why and stops nobody else',
    repeat: 'If the connection breaks while you confirm, confirm again: it is not done twice',
  },
  halt: {
    title: 'Halt a member or a whole line',
    one: 'In the profile press “Suspend”, or “Halt the line” for an agent',
    line: 'The screen says how many users are affected. Nobody of the line can log in from then on',
    tickets: 'Accepted tickets are settled and paid as usual',
    release: 'Press “Release” to undo it. What an upline has set can only be changed by the upline',
  },
  packages: {
    title: 'Packages',
    give: 'Only packages that the upline has can be given. The member can use them at once',
    take: 'Taking a package takes it from everybody below as well',
    open_tickets: 'Accepted tickets keep their rates. New tickets with the package are refused',
  },
  password: {
    title: 'Forgotten password',
    reset: 'In the profile press “Reset password” and give a reason. A one-time password is made',
    once: 'It is shown once, and the user is logged off everywhere',
    first_log_in: 'Who logs in with it has to choose a password of its own first',
  },
  terms: {
    title: 'Rates',
    where: 'Office users with the permission open “Rates”, choose market and package, and change the figures',
    return: 'Beside each rate stands the theoretical return: 3 top at 550 with 33 % discount returns 88 %',
    two_people: 'Above 100 % it becomes a proposal for a second person',
    refused: 'Above 120 % it cannot be set',
  },
  approvals: {
    title: 'What waits for a second person',
    what: 'Periods beside the timetable, rates above 100 %, the company’s credit, quotas above the limit, roles, resets of second factors, voids and results need two people',
    who: 'The second person is not the proposer, nor an assistant of the proposer',
    decide: 'Open a row to see the values before and after. A approves, R rejects, W withdraws your own proposal',
    results: 'The second person enters a result on the page of results, without seeing the numbers of the first',
    expiry: 'A proposal expires after 24 hours, and fails where the present value has changed meanwhile',
  },
}
