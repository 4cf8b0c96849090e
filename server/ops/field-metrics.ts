// How fast the app is on devices whose users agreed (contract/schemas/vitals.ts), as histograms. Their labels are pages
// of a closed list.
import { Histogram, type Registry } from 'prom-client'
import { APP_TIMES, PAGE_VITALS, type Vital } from '../../contract/schemas/vitals.ts'

interface Measured {
  metric: string
  help: string
  /** Upper ends, in the unit of the metric. */
  buckets: number[]
  /** Larger values count as this: a suspended device must not spoil the mean. In the unit of the metric. */
  max: number
}

/** LCP, INP and CLS have their limits of good and poor (https://web.dev/articles/vitals) among the buckets. */
const MEASURED: Record<Vital['name'], Measured> = {
  LCP: {
    metric: 'cairn_field_lcp_seconds',
    help: 'Largest Contentful Paint of a page load, in seconds.',
    buckets: [0.25, 0.5, 1, 1.5, 2, 2.5, 4, 6, 10],
    max: 60,
  },
  INP: {
    metric: 'cairn_field_inp_seconds',
    help: 'Interaction to Next Paint of a page load, in seconds.',
    buckets: [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2],
    max: 60,
  },
  CLS: {
    metric: 'cairn_field_cls',
    help: 'Cumulative Layout Shift of a page load, without a unit.',
    buckets: [0.01, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
    max: 10,
  },
  'start-to-rows': {
    metric: 'cairn_field_start_to_rows_seconds',
    help: 'From the start of the app until the first rows of a list are shown, in seconds.',
    buckets: [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    max: 600,
  },
  'post-to-saved': {
    metric: 'cairn_field_post_to_saved_seconds',
    help: 'From a change until it is saved on the device, in seconds.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    max: 600,
  },
  'reconnect-to-sent': {
    metric: 'cairn_field_reconnect_to_sent_seconds',
    help: 'From the first answer after a time without a network until nothing waits to be sent, in seconds.',
    buckets: [0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    max: 600,
  },
}

/** Registers the histograms. Returns the function that adds a measurement. */
export function createFieldMetrics(registry: Registry): (vital: Vital) => void {
  const histogram = <L extends string>(name: Vital['name'], labelNames: L[]) => {
    const { metric, help, buckets } = MEASURED[name]
    return new Histogram({ name: metric, help, buckets, labelNames, registers: [registry] })
  }
  const byPage = new Map(PAGE_VITALS.map((name) => [name, histogram(name, ['page'])]))
  const ofTheApp = new Map(APP_TIMES.map((name) => [name, histogram(name, [])]))
  return (vital) => {
    const { name, value } = vital
    const inUnit = Math.min(name === 'CLS' ? value : value / 1_000, MEASURED[name].max)
    if ('page' in vital) byPage.get(vital.name)?.observe({ page: vital.page }, inUnit)
    else ofTheApp.get(vital.name)?.observe(inUnit)
  }
}
