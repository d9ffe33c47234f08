// Observes the web vitals of visits. Nothing is stored.

import { isConsolePath, reportVitals } from '@megalot/contract'
import type { Serve } from '../../http/serve.ts'
import { pageCls, pageInpSeconds, pageLcpSeconds } from '../../lib/metrics.ts'

export function serveVitals(serve: Serve): void {
  serve(reportVitals, async ({ body: { lcp, inp, cls } }) => {
    if (lcp) pageLcpSeconds.observe(labelsOf(lcp.page), lcp.value / 1_000)
    if (inp) pageInpSeconds.observe(labelsOf(inp.page), inp.value / 1_000)
    if (cls) pageCls.observe(labelsOf(cls.page), cls.value)
    return null
  })
}

const labelsOf = (page: string) => ({ application: isConsolePath(page) ? 'console' : 'member', page })
