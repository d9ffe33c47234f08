import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { Order } from '@megalot/contract'
import IconDownload from '~icons/download'
import IconShare from '~icons/share'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { showToast } from '../../../lib/feedback/toast.ts'
import { Skeleton, QueryView } from '../../../ui/query-view.tsx'
import { canShareFile, pictureFile, shareFile } from './share-picture.ts'
import classes from './share-sheet.module.css'
import { drawPicture } from './ticket-picture.ts'
import type { Picture } from './ticket-picture.ts'
import { usePicture } from './use-picture.ts'

/** The ticket as a picture, shown before it is sent or saved. */
export function ShareSheet({ order }: { order: Order }) {
  const picture = usePicture(order)
  const query = useQuery({
    queryKey: queryKeys.picture(picture),
    queryFn: () => drawPicture(picture),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  })
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={420} />}>
      {(blob) => <DrawnPicture order_id={order.order_id} picture={picture} blob={blob} />}
    </QueryView>
  )
}

function DrawnPicture({ order_id, picture, blob }: { order_id: number; picture: Picture; blob: Blob }) {
  const t = useTranslations('bills.share')
  const address = useMemo(() => URL.createObjectURL(blob), [blob])
  useEffect(() => () => URL.revokeObjectURL(address), [address])
  const file = useMemo(() => pictureFile(order_id, blob), [order_id, blob])
  const canShare = canShareFile(file)
  const share = async (): Promise<void> => {
    if (!(await shareFile(file, picture.title))) showToast('bad', t('failed'))
  }
  return (
    <>
      <Row gap={8} below={12}>
        {canShare && (
          <Button icon={<IconShare size={20} stroke={1.6} />} onClick={() => void share()}>
            {t('send')}
          </Button>
        )}
        <Button
          variant={canShare ? 'default' : 'filled'}
          icon={<IconDownload size={20} stroke={1.6} />}
          onClick={() => saveFile(file.name, blob)}
        >
          {t('save')}
        </Button>
      </Row>
      <img
        className={classes.picture}
        src={address}
        alt={t('alt', { order_id: String(order_id) })}
        data-testid="ticket-picture"
      />
    </>
  )
}
