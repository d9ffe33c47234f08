import classes from './demo-mark.module.css'

/** Marks a result that was generated for a demo; nobody must take it for one of a real draw. */
export function DemoMark({ label, hint }: { label: string; hint: string }) {
  return (
    <span className={classes.mark} title={hint}>
      {label}
    </span>
  )
}
