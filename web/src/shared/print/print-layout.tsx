import '../../ui/paper.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ShownToasts } from '../feedback/shown-toasts.tsx'
import { queryClient } from '../../lib/api/query-client.ts'
import classes from './print-layout.module.css'

/** What is meant for paper: nothing around it but two buttons, which stay on the screen. */
export function PrintLayout() {
  useEffect(() => () => queryClient.clear(), [])
  return (
    <QueryClientProvider client={queryClient}>
      <main className={classes.paper}>
        <Outlet />
      </main>
      <ShownToasts />
    </QueryClientProvider>
  )
}
