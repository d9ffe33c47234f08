import IconAlertTriangle from '~icons/alert-triangle'
import classes from './running-list.module.css'

/** The problem of the rows added last, or of the slip. */
export function RunningMessage({ look, text }: { look: 'warn' | 'bad'; text: string }) {
  return (
    <p className={classes.message} data-look={look}>
      <IconAlertTriangle size={18} stroke={2} aria-hidden="true" />
      <span>{text}</span>
    </p>
  )
}
