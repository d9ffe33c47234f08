export { isInMaintenance, maintenanceOfEverything, maintenanceOfProduct } from './maintenance-expressions.ts'
export { serveMaintenance } from './maintenance.routes.ts'
export { listMaintenances, refuseInMaintenance, setMaintenance } from './maintenance.service.ts'
