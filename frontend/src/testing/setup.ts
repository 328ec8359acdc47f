/** Before any component: the order of the style layers is that of their first mention. */
import "@/styles/index.css";
