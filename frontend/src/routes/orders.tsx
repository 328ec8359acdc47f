export { OrdersPage as default } from "@/features/orders/OrdersPage";
