import type { SameKeys } from '../../../lib/i18n/messages.ts'
import type { messages as thai } from './guide.th.ts'

export const messages = {
  title: 'Console manual',
  text: 'For agents and the office. Read it in this order the first time. The menu shows the pages that you may use',
  members: 'Manual for members',
  open: 'Open this page',
  parts: {
    first: {
      password:
        'Log in with your username and the one-time password that you were given. You then set a password of your own, with at least 12 characters in the office, for every later log-in',
      halves:
        'An office user gets the first password in two halves, from two people. Enter them one after the other in the same field, in either order, within 72 hours',
      factor:
        'Open “Two-step verification” and add a passkey or an authenticator app. Where it is required you cannot change anything before',
      codes:
        'Keep the 10 recovery codes, which are shown once: print or download them, and store them apart from the phone',
      menu: 'Press Ctrl-K and type a username, a ticket number, a market or a page to go there at once',
    },
    factor: {
      passkey:
        'A passkey uses the fingerprint, face or PIN of a device. It is the fastest and safest way. You can add several devices',
      totp: 'An authenticator app: scan the QR code, and enter the 6 digits that the app shows. Each code works once',
      step_up:
        'Before important actions, such as results, large credit or rights, you verify again. What you began then goes on by itself; nothing is typed anew',
      lost: 'A lost device: log in with a recovery code, remove the old device and add the new one. Without a code two office users must reset it',
    },
    sessions: {
      own: '“Mine” shows from which devices and addresses you were logged in, and when',
      staff:
        '“Staff” and “My line” show who is logged in now. Select several rows to end them together; a reason is needed',
      unknown: 'If you see a device that you do not know, change your password at once. Every device is logged out',
    },
    day: {
      watch:
        '“Today” has every period by its close, with tickets, stake, worst case, result and alerts. Periods of days before that still wait for a result are there too',
      keys: 'On a row: C closes early · M moves · R enters the result · V voids',
      close:
        'An early close takes effect at once and cannot be undone. Moved and added periods need the approval of another person',
      void: 'Before you void a period you see what it refunds. One person asks, and the second one confirms it under “Approvals” with the same figures',
    },
    results: {
      type: 'Type the digits alone. A full field moves on to the next one. Then press Enter',
      preview: 'Before that you see how many tickets and members this result pays, and how much, by bet type',
      second:
        'The second person types from the announcement and does not see the first numbers. If both agree, it is paid at once',
      differs: 'If they differ, both are shown side by side. Remove them with a reason, and both people enter it again',
      correct: 'Two people can correct a period that is paid. The same page shows what is taken back and what is paid',
    },
    tickets: {
      number:
        'Press Ctrl-K and type the number of the ticket, or type it into the one field of “Tickets”. A member, a period or a number that was bet on can be typed there as well',
      filters:
        'Amount, time, market, state and network address narrow the list down. It follows new tickets while “Follow new tickets” is on',
      result: 'Open a ticket to see each line with its rate, what it won, and who changed what and when',
      remove:
        'A ticket that may be cancelled is deleted at once, with a reason. Later two people of the office are needed: the first one asks for a void',
      views: 'Save filters and columns that you use often as a view under a name',
    },
    money: {
      sheet:
        'The week sheet has a row for each child: forward, Monday to Sunday, received and paid, and the balance. “To collect” means they owe you, “to pay” means you owe them. Open stakes are not in it',
      one: 'Press “Receive” or “Pay” and choose the full amount, half of it, or type one. The balance after it is shown before you confirm. Credit limits do not change',
      many: 'For many at once, type amounts into the rows (− pays). F is the full amount, Enter the next row, Ctrl+Enter saves. Or paste two columns (name, amount) from a spreadsheet',
      undo: 'Reverse your own entry on the same day, with a reason. Later, or for somebody else, the office approves it. Nothing is deleted',
      limits:
        'An amount that turns a balance around by more than 10,000 Baht, or an adjustment above 10,000 Baht, needs a second approval',
      figure: 'Set a settle figure in a profile, tab Money. A row that reaches it is marked as due',
      disputes:
        'A member can say that an entry is not right. It appears on the home page and in the history. Answer it, or reverse the entry and record it again',
    },
    clearing: {
      made: 'Every Monday at 12:00 a clearing statement of last week is made for each pair of agents: forward, received, discount, commission, wins, to pass up, payments and carried',
      send: 'Check it and press “Send”. The child sees it only then',
      confirm: 'The child confirms it, or disputes a line. Once the money is there, mark it paid and close it',
      correction: 'A result corrected later becomes a line of the next statement, with its period',
      cash: 'The cash book shows the cash on hand of you and each collector. Count it at the end of the day; a difference is recorded',
    },
    reports: {
      tree: '“Reports” begins with the whole line. Open a row to see the people below it, down to one member and one ticket',
      kinds:
        '“Line” has win and loss, open stakes, bet types by package, winners, changed tickets, and the daily close. The other tabs are win and loss by period, the statement, and the summary with charts',
      files:
        'XLSX and CSV contain the whole report, not only what is on the screen. A large file is written while you go on working; a notice says when it is ready',
      agree:
        'All reports count the same tickets. A total of a page is the total of its file, and of the level below it',
    },
    calendar: {
      read: 'Each cell is the period of a market on that day. The signs are explained below the table',
      holiday:
        'Press “Holidays” and choose a day and markets. Periods that have not opened are removed. Open ones have to be voided',
      timetable:
        'Press “Settings” of a market to change its timetable, from tomorrow on. Another person has to approve it',
      switch: 'There you also set when tickets may be cancelled, switch the market on or off, and go to maintenance',
    },
    find: {
      search: 'Open “Members and line” and type a part of the name or username, or press Ctrl+K on any page',
      tree: 'Choose “Tree” to see the levels. The right arrow opens a line, the left arrow closes it',
      columns:
        '“View” chooses columns and order, and saves views. The address of the page shows the same to whoever you send it to',
      keys: 'On a row: Enter profile · C credit · S status · P packages · space selects the row',
    },
    open_member: {
      form: 'Press “New member”, choose the level, and enter username and display name',
      copy: 'Type a username into “Copy from” to fill in the same credit, packages and share',
      credit: 'The credit comes out of the upline directly above. Below the field you see how much is left to give',
      password: 'A one-time password is made for you. You can make another one or type your own',
      hand_over:
        'Then a card shows username, password, link and QR code. It is shown once: hand it over before you close the page',
    },
    codes: {
      make: 'Open “Agent codes” and press “New code”. You can choose packages and an opening credit',
      share: 'Send the link or show the QR code. The registration fills in the code by itself',
      arrives:
        'When somebody registers, a message appears at once. Press “Give credit” and confirm: the member can bet',
      off: 'Switch off a code that is no longer used. Members who have joined stay as they are',
    },
    credit: {
      rule: 'An upline gives no more than its own credit, and takes back no more than what is neither used nor given on',
      change:
        'Press the credit in the list, or “Change credit” in the profile. See what happens, and confirm with a reason',
      many: 'Select several rows and press “Change credit”. Each user has an outcome of its own; who is refused says why and stops nobody else',
      repeat: 'If the connection breaks while you confirm, confirm again: it is not done twice',
    },
    halt: {
      one: 'In the profile press “Suspend”, or “Suspend the line” for an agent',
      line: 'The screen says how many users are affected. Nobody of the line can log in from then on',
      tickets: 'Accepted tickets are settled and paid as usual',
      release: 'Press “Release” to undo it. What an upline has set can only be changed by the upline',
    },
    packages: {
      give: 'Only packages that the upline has can be given. The member can use them at once',
      take: 'Taking a package takes it from everybody below as well',
      open_tickets: 'Accepted tickets keep their rates. New tickets with the package are refused',
    },
    member_password: {
      reset: 'In the profile press “Reset password” and give a reason. A one-time password is made',
      once: 'It is shown once, and the user is logged off everywhere. The assistants of an agent are suspended until the agent readmits each of them',
      first_log_in: 'Who logs in with it has to choose a password of its own first',
    },
    numbers: {
      paste:
        'Open “Number limits and quotas” and paste all numbers into one field. Tick “In every order of the digits” for permutations, then choose the bet types',
      value:
        '“Half pay” goes on accepting at half the rate, “Closed” accepts nothing, “Amount” accepts each number up to your figure, “Open” goes back to the quota',
      where:
        'Choose as many markets as you like. “This period” holds for the periods that are named, “Every period” for new ones too, until its last day. Numbers set for a period always go first',
      preview:
        'The preview shows what was set before, what is accepted so far, and how many tickets have these numbers. Give a reason and set them: the next ticket obeys, earlier ones keep their terms',
      undo: 'Under “History of numbers” open a rule and undo it. Numbers that were set again since do not change, neither do periods that have closed',
    },
    terms: {
      where:
        'Office users with the permission open “Rates and shares”, choose market and package, and change the figures',
      return: 'Beside each rate stands the theoretical return: 3 top at 550 with 33 % discount returns 88 %',
      two_people:
        'Above 100 %, also together with the highest commission of the house, it becomes a proposal for a second person. Until it is decided it is shown at the bet type',
      refused: 'Above 120 % it cannot be set',
    },
    risk: {
      board:
        'Choose a market and a period. The table shows the payout of every number of every bet type if it comes, the highest first, and follows by itself every second',
      heat: 'The colour is stronger the nearer a number is to the highest of its bet type. The mark beside an amount says closed, half pay or nearly full',
      set: 'Open a number, choose half pay, closed or the quota, and confirm; or press H, C, O or Q in the table. Tickets sent after that obey at once. Agents see their own part and set nothing',
      results:
        '"By result" shows the profit or loss of every outcome, the fifty worst and the chance of a loss. Any result can be tried, front and back numbers as 381 715. The worst case includes them, the fifty worst do not',
      age: '"Book as of" says how far the amounts are behind the newest ticket. After the close they are compared; where they differ nothing is paid',
    },
    signals: {
      what: '“Signals” gathers what a person should look into: stakes in the last minute, deletes near the close, shared devices and addresses, wins beyond chance, many cancelled tickets, credit up and down, differing results. At most 31 days at once',
      rule: 'Open a row for its figures and its rule. A signal proves nothing: a household shares its address. Nobody is suspended by it',
      next: '“Open next” in the details leads to the tickets, the profile, the sessions or the audit log of that time',
      sees: 'An agent sees its own line, and everybody only what they may see elsewhere. Entries of results are for the office',
    },
    approvals: {
      what: 'Periods beside the timetable, moves of periods, timetables, rates above 100 %, commissions above 100 % together with the rates, the company’s credit, quotas above the limit, roles, passwords and second factors of office users, voids and results need two people',
      who: 'The second person is not the proposer, nor an assistant of the proposer',
      decide:
        'Open a row to see the values before and after. A approves, R rejects, W withdraws your own proposal, also the void of a ticket',
      results: 'The second person enters a result on the page of results, without seeing the numbers of the first',
      expiry: 'A proposal expires after 24 hours, and fails where the present value has changed meanwhile',
    },
    recovery: {
      no_mail:
        'Office users have no recovery by mail. Two others with the permission do it together, and nobody for oneself',
      propose:
        'The first one opens “Staff and assistants” and the row of the user, chooses “Propose a new password” or “Propose a reset of the second factors”, gives a reason, and notes the half of the password, which is shown once',
      approve: 'The second one opens “Approvals” and approves. The other half is shown, once as well',
      hand_over:
        'Each hands its half to the user, in person or by telephone. The user logs in with both, and sets a password of its own. If a half is lost, propose it again',
      owners: 'Have three owners at least: for one who has lost the password two others are needed',
      assistants: 'Assistants get a password from whom they act for, agents from their upline',
    },
    staff: {
      assistant:
        'Choose “New assistant”, enter a name and the areas that you give, none beyond your own. The assistant acts for you in your line, and the log names you both',
      password:
        'Hand over the one-time password, which is shown once. If it is forgotten, open the row and choose “Make a one-time password”',
      office:
        'Owners choose “New office user”, and the role waits for a second person. Both get a half of the password. So it is for a role that may do more; one that may do less holds at once',
      off: 'Somebody leaves: open the row and choose “Suspend”. The user is logged out at once, and so are its assistants',
    },
    audit: {
      find: 'Filter by days, by who did it, by the user concerned or by the action. The filters stand in the address, so a link shows others the same',
      read: 'Open a row to see the values before and after side by side, who did it for whom, from where, and why',
      export: '“Export all as CSV” holds every row of the filter, at most 10,000',
      chain:
        'Each row holds the hash of the one before, and the log is verified every hour. If somebody changed the database, this page says so in red. Copy the last row and keep it elsewhere as proof',
    },
  },
  keys: {
    title: 'Keys',
    search: { key: 'Ctrl-K', does: 'Search, and go to another page' },
    rows: { key: 'Up Down Home End', does: 'Move between the rows of a list' },
    open: { key: 'Enter', does: 'Open a row' },
    select: { key: 'Space', does: 'Select a row, where rows can be selected' },
    close: { key: 'Esc', does: 'Close a dialog' },
  },
} as const satisfies SameKeys<typeof thai>
