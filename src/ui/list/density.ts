import { deviceSetting } from '../platform/device-setting.ts'

/** Row heights of tables: 32 and 44 pixels. Under a coarse pointer both have 44. */
export const DENSITIES = ['compact', 'comfortable'] as const

/** How high the rows of tables are. */
export const density = deviceSetting('density', DENSITIES, 'compact')
