export {
  type CashAccount,
  type CreditBalances,
  type Entry,
  findHeldAccountIds,
  findCreditBalances,
  getPeriodAccountId,
  listCreditBalances,
  lockCashAccounts,
  openUserAccounts,
  postEntries,
  setFloor,
  sumGivenLimits,
} from './ledger.service.ts'
