import { englishReportWords, type Language, type ReportWords, thaiReportWords } from '@megalot/contract'

/** The words of the report's screens, for files in the call's language. */
export const reportWords: Readonly<Record<Language, ReportWords>> = { th: thaiReportWords, en: englishReportWords }
