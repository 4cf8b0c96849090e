// What the list shows after its first paint: one file to fetch.
export { AboveList } from './above-list.tsx'
export { BulkChanges } from '../bulk/bulk-changes.tsx'
export { ListMenu } from './list-menu.tsx'
export { NoPlans } from './no-plans.tsx'
export { PlanFilters } from './plan-filters.tsx'
