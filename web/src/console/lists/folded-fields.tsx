import type { ReactNode } from 'react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../ui/button.tsx'
import classes from './lists.module.css'

interface FoldedFieldsProps {
  /** How many of them narrow the list. */
  count: number
  children: ReactNode
}

/** Fields that narrow a list: behind one button, except on a desktop. */
export function FoldedFields({ count, children }: FoldedFieldsProps) {
  const t = useTranslations('console.filters')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" className={classes.fold} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {count === 0 ? t('fold') : t('fold_count', { count })}
      </Button>
      <div className={classes.folded} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  )
}
