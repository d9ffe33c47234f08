export { serveMaintenance } from './maintenance.routes.ts'
export {
  isInMaintenance,
  listMaintenances,
  maintenanceOfEverything,
  maintenanceOfProduct,
  refuseInMaintenance,
  setMaintenance,
} from './maintenance.service.ts'
