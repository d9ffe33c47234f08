import { useTranslations } from 'use-intl'
import { showToast } from '../../lib/feedback/toast.ts'
import { useSend } from '../../lib/forms/use-send.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Intro, Text } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import classes from './account.module.css'
import { downloadOwnData } from './own-data.ts'

/** The user's stored data as a file, and how to correct or erase it. */
export function OwnDataPage() {
  const t = useTranslations('account.own_data')
  const { isBusy, failure, run } = useSend(downloadOwnData)
  const download = async (): Promise<void> => {
    if (await run()) showToast('good', t('done'))
  }
  return (
    <>
      <PageTitle title={t('title')} />
      <Intro most="68ch">{t('text')}</Intro>
      <ul className={classes.list}>
        <li>{t('holds.account')}</li>
        <li>{t('holds.money')}</li>
        <li>{t('holds.log_ins')}</li>
        <li>{t('holds.acts')}</li>
      </ul>
      {failure !== null && <Alert kind="bad">{failure}</Alert>}
      <div className={classes.choice}>
        <Button isBusy={isBusy} onClick={() => void download()}>
          {t('download')}
        </Button>
      </div>
      <Text as="h2" above={20} size="lead" strong>
        {t('erase')}
      </Text>
      <Intro most="68ch">{t('erase_text')}</Intro>
    </>
  )
}
