import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import classes from './view-switch.module.css'

const route = getRouteApi('/main/bet/$product_code')
type View = 'slip' | 'latest'

/** Where there is no room for both: the slip, or the latest tickets. */
export function ViewSwitch({ view }: { view: View }) {
  const navigate = route.useNavigate()
  return (
    <ViewSwitchControl
      view={view}
      onChange={(next) =>
        void navigate({
          search: ({ view: _view, ...rest }) => (next === 'latest' ? { ...rest, view: 'latest' } : rest),
          replace: true,
        })
      }
    />
  )
}

export function ViewSwitchControl({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const t = useTranslations('bet.view')
  return (
    <div className={classes.switch} data-view-switch="">
      <SegmentedControl<View>
        label={t('label')}
        value={view}
        choices={[
          { value: 'slip', label: t('slip') },
          { value: 'latest', label: t('latest') },
        ]}
        onChange={onChange}
        fill
      />
    </div>
  )
}
